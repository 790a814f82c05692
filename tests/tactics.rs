//! The built-in tactical suite: every line is sound, no position occurs twice, and each is graded and labelled by
//! theme.

use pacioli::lab::mine::{Theme, grade};
use pacioli::suite::{self, BuiltIn, Record, Suite};

fn tactics() -> Suite {
    BuiltIn::TACTICS.parse(false)
}

fn comment<'r>(record: &'r Record, name: &str) -> &'r str {
    record.opcodes.iter().find(|opcode| opcode.name == name).map_or("", |opcode| opcode.text())
}

#[test]
fn every_line_is_read_and_nothing_is_found_wrong() {
    let suite = tactics();
    assert_eq!(suite.refused, []);
    assert!(suite.records.len() >= 300, "{} positions", suite.records.len());
    // Among other things: no position twice, even with colours swapped or mirrored, and no name twice.
    assert_eq!(suite::lint(&[suite]), []);
}

#[test]
fn every_position_has_one_solution_confirmed_deeply() {
    for record in tactics().records {
        let id = &record.id;
        assert_eq!(record.best.len(), 1, "{id}");
        assert!(record.avoid.is_empty() && record.points.is_empty() && record.mate_goal().is_none(), "{id}");
        let depth: u32 = comment(&record, "acd").parse().expect(id);
        assert!(depth >= 25, "{id}: {depth}");
        let line = comment(&record, "pv");
        let solution = record.position.san(record.best[0]);
        assert_eq!(line.split(' ').next(), Some(solution.as_str()), "{id}");
        // The line is legal to its end.
        let mut position = record.position.clone();
        for word in line.split(' ') {
            position = position.play(position.parse_san(word).expect(id));
        }
        assert!(comment(&record, "ce").parse::<i32>().is_ok_and(|score| score >= -50), "{id}");
    }
}

#[test]
fn every_position_is_graded_and_named_by_theme() {
    let suite = tactics();
    let mut grades = [0; 5];
    let mut themes = Theme::NAMES.map(|name| (name, 0));
    for record in &suite.records {
        let id = &record.id;
        let nodes = comment(record, "c1").strip_prefix("nodes ").expect(id);
        let nodes: Option<u64> = if nodes.starts_with("over ") { None } else { Some(nodes.parse().expect(id)) };
        assert_eq!(comment(record, "c2"), format!("grade {}", grade(nodes)), "{id}");
        grades[grade(nodes) - 1] += 1;
        assert!(record.themes().next().is_some(), "{id}");
        for name in record.themes() {
            themes.iter_mut().find(|(known, _)| *known == name).expect(id).1 += 1;
        }
    }
    assert!(grades[..4].iter().all(|&count| count > 0), "{grades:?}");
    assert!(themes.iter().all(|&(_, count)| count > 0), "{themes:?}");
}
