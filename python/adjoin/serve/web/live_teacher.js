// The teacher's part of live quizzes: a form to open one, and a card for each that is open.

import { make, one } from "./link.js";

const STATES = { lobby: "pupils join", asked: "a question is open", shown: "the answer is shown", table: "the table is shown", over: "over" };

/** What the main button does next. */
function nextStep({ state, at, of }) {
  if (state === "lobby") return "Start";
  if (state === "asked") return "Show the answer";
  if (state === "shown") return "Show the table";
  return at < of ? `Question ${at + 1}` : "Show the final table";
}

/** The form: which atlas, which part, which kinds, how many questions and seconds. */
export function quizForm(tell, act) {
  let offered = null;

  async function offer(atlas, areas) {
    offered = await tell("choices", { atlas, areas });
    const select = one("#quiz-atlas");
    select.replaceChildren();
    offered.atlases.forEach((name) => make("option", select, { value: name, textContent: name }));
    select.value = offered.atlas;
    const part = one("#quiz-part");
    part.replaceChildren();
    make("option", part, { value: "", textContent: "all of it" });
    offered.parts.forEach((name) => make("option", part, { value: name, textContent: name }));
    part.value = offered.areas[0] ?? "";
    const before = new Set(chosen());
    const kinds = one("#quiz-kinds");
    kinds.replaceChildren();
    for (const { name, title, number } of offered.kinds) {
      const label = make("label", kinds, { className: "check" });
      make("input", label, { type: "checkbox", value: name, checked: !before.size || before.has(name) });
      label.append(` ${title} `);
      make("small", label, { textContent: number });
    }
  }
  const chosen = () => [...one("#quiz-kinds").querySelectorAll(":checked")].map((box) => box.value);
  const area = () => (one("#quiz-part").value ? [one("#quiz-part").value] : []);

  one("#quiz-atlas").onchange = () => offer(one("#quiz-atlas").value, []);
  one("#quiz-part").onchange = () => offer(offered.atlas, area());
  one("#quiz-form").onsubmit = (event) => {
    event.preventDefault();
    const code = one("#quiz-code").value.trim();
    const about = { atlas: offered.atlas, areas: area(), kinds: chosen(), questions: Number(one("#quiz-number").value) };
    const settings = { ...(code ? { code } : about), seconds: Number(one("#quiz-seconds").value), speed: one("#quiz-speed").checked };
    if (!code && !about.kinds.length) one("#error").textContent = "Choose at least one kind of question.";
    else act("quiz", { settings });
  };
  return { start: () => offered ?? offer() };
}

/** A card of a live quiz; `update(quiz, screen)` brings it up to date. */
export function quizCard(parent, act, quiz) {
  const { code } = quiz;
  const root = make("article", parent, { className: "room live-card" });
  const head = make("div", root, { className: "row spread" });
  const title = make("h3", head);
  const state = make("span", head, { className: "state" });
  const body = make("div", root, { className: "row top" });
  make("img", body, { src: `/qr/${code}.svg`, alt: `QR code of live quiz ${quiz.number}`, className: "qr" });
  const words = make("div", body, { className: "grow" });
  make("strong", words, { className: "code", textContent: code });
  const prompt = make("p", words);
  const count = make("p", words);
  const rule = make("p", words);
  make("small", rule, { textContent: quiz.rule });
  const buttons = make("div", root, { className: "row" });
  const button = (text, onclick, className = "") => make("button", buttons, { type: "button", textContent: text, onclick, className });
  const next = button("", () => act("next", { code }), "main");
  const pause = button("", () => act("pause", { code, is_paused: pause.textContent === "Pause" }));
  const project = button("Show on projector", () => act("project", { show: "room", code }));
  const finish = button("End the quiz", () => {
    if (confirm("End the quiz here? Answers so far count.")) act("finish", { code });
  });
  const links = make("span", buttons, { className: "row" });
  const report = make("a", links, { textContent: "Class report", target: "_blank", rel: "noopener" });
  const table = make("a", links, { textContent: "Download as CSV" });
  const close = button("Close", () => {
    if (confirm("Close the quiz? Its report goes with it: save that first.")) act("end", { code });
  });
  const people = make("ul", root, { className: "live-pupils" });
  let listed = "";
  return {
    root,
    update(now, screen) {
      const isOver = now.state === "over";
      title.textContent = `Live quiz ${now.number} · ${now.title}`;
      state.textContent = now.is_paused ? "paused" : STATES[now.state];
      state.dataset.is = now.state === "asked" ? "playing" : now.state;
      prompt.textContent = now.prompt || (now.at ? "" : `${now.of} questions`);
      const done = now.who.filter((pupil) => pupil.has_answered).length;
      const inside = now.who.length === 1 ? "1 pupil is in" : `${now.who.length} pupils are in`;
      count.textContent = now.state === "asked" ? `Question ${now.at} of ${now.of}: ${done} of ${now.who.length} have answered` : inside;
      next.hidden = finish.hidden = isOver;
      next.textContent = nextStep(now);
      next.disabled = !now.who.length;
      finish.hidden = isOver || now.state === "lobby";
      pause.hidden = now.state !== "asked";
      pause.textContent = now.is_paused ? "Go on" : "Pause";
      close.hidden = !isOver && now.state !== "lobby";
      links.hidden = !now.report;
      if (now.report) {
        report.href = now.report;
        table.href = `${now.report}.csv`;
      }
      project.setAttribute("aria-pressed", String(screen.show === "room" && screen.code === code));
      const drawn = JSON.stringify(now.who);
      if (drawn === listed) return;
      listed = drawn;
      people.replaceChildren();
      for (const { seat, name, is_here: isHere, has_answered: has, points } of now.who) {
        const item = make("li", people, { className: "seat" });
        item.dataset.is = isHere ? "here" : "away";
        make("span", item, { className: "name", textContent: name });
        make("small", item, { textContent: [has ? "✓" : "", now.at ? `${points}` : ""].filter(Boolean).join(" ") });
        const remove = make("button", item, { type: "button", className: "small", textContent: "×", title: `take ${name} out` });
        remove.ariaLabel = `take ${name} out`;
        remove.onclick = () => {
          if (confirm(`Take ${name} out of the quiz, with the points?`)) act("remove", { code, seat });
        };
      }
    },
  };
}
