use super::Rules;

/// What a person is told who asks for a hint.
pub trait Advise: Rules {
    /// Takes those out of all legal actions that a beginner would call wrong, by what the seat to act may know: they
    /// give up what another one has for nothing. At least one stays.
    fn drop_mistakes(&self, _: &Self::State, _: &mut Vec<Self::Action>) {}

    /// Why a legal action is worth considering, in a few words, by what the seat to act may know.
    fn reason(&self, state: &Self::State, action: Self::Action) -> String;
}
