//! A lane is a function of its seed and number: nothing else about the batch enters.

use adjoin::batch::{Config, Seeds};

use crate::{GAMES, Run, lanes};

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    for game in GAMES {
        for (num_lanes, steps) in [(75, 300), (3, 60)] {
            let mut runs = [1, 2, 3, 8].map(|threads| Run::new(game, &Config { threads, ..lanes(num_lanes) }));
            for run in &mut runs {
                run.reset(11);
            }
            for step in 0..steps {
                for run in &mut runs {
                    run.random_steps(1);
                }
                let [one, many @ ..] = &runs;
                for other in many {
                    assert_eq!(other.actions, one.actions, "step {step}");
                    assert_eq!(other.buffers, one.buffers, "step {step}");
                }
            }
            let [one, many @ ..] = &runs;
            assert!(many.iter().all(|other| other.saves() == one.saves()));
        }
    }
}

#[test]
fn a_lane_does_not_depend_on_the_size_of_the_batch() {
    for game in GAMES {
        let [mut small, mut large] = [8, 64].map(|size| Run::new(game, &lanes(size)));
        small.reset(5);
        large.reset(5);
        for _ in 0..300 {
            small.random_steps(1);
            large.random_steps(1);
            for lane in 0..8 {
                assert_eq!(small.row(lane), large.row(lane), "lane {lane}");
            }
        }
        assert_eq!(small.saves(), large.saves()[..8]);
    }
}

#[test]
fn a_seed_of_its_own_makes_a_lane_the_first_of_a_batch() {
    let seeds = [3, 99, 3, u64::MAX];
    for game in GAMES {
        let mut together = Run::new(game, &lanes(seeds.len()));
        together.batch.reset(Seeds::Each(&seeds), together.buffers.rows()).unwrap();
        let mut alone = seeds.map(|seed| {
            let mut run = Run::new(game, &lanes(1));
            run.reset(seed);
            run
        });
        for _ in 0..200 {
            together.random_steps(1);
            for (lane, run) in alone.iter_mut().enumerate() {
                run.random_steps(1);
                assert_eq!(together.row(lane), run.row(0), "seed {}", seeds[lane]);
            }
        }
    }
}

#[test]
fn a_new_batch_is_one_reset_with_its_seed() {
    for game in GAMES {
        let mut reset = Run::new(game, &lanes(9));
        reset.random_steps(20);
        reset.reset(8);
        assert_eq!(reset.saves(), Run::new(game, &Config { seed: 8, ..lanes(9) }).saves());
    }
}

#[test]
fn lanes_and_seeds_differ() {
    let run = Run::new(GAMES[0], &lanes(50));
    let mut saves = run.saves();
    saves.extend(Run::new(GAMES[0], &Config { seed: 1, ..lanes(50) }).saves());
    let positions = |run: &Run| (0..50).map(|lane| run.get(lane).position()).collect::<Vec<_>>();
    let mut positions = positions(&run);
    positions.sort_unstable();
    positions.dedup();
    assert_eq!(positions.len(), 50);
    saves.sort_unstable();
    saves.dedup();
    assert_eq!(saves.len(), 100);
}
