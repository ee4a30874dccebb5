//! Real updates of facts, where the data set is at hand: each one by `replace_in_memory`, with the text exactly as expected.

use memdoc::{Code, DocName, InMemoryStore, Memory, Policy, Reply, Status, Toolbox};
use serde_json::{Value, json};

use crate::support::checks;
use crate::support::outside::{Update, updates};

fn list(facts: &[String]) -> String {
    facts.iter().map(|fact| format!("- {fact}\n")).collect()
}

struct Agent(Toolbox);

impl Agent {
    fn shown(text: &str) -> Self {
        let store = InMemoryStore::new().with(DocName::memory(), text);
        let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
        toolbox.show(&DocName::memory()).unwrap();
        Self(toolbox)
    }

    fn replace(&mut self, arguments: &Value) -> Reply {
        let reply = self.0.call("replace_in_memory", arguments);
        checks::check_reply(&reply);
        reply
    }

    fn text(&mut self) -> String {
        self.0.show(&DocName::memory()).unwrap().text.to_string()
    }
}

#[test]
fn an_outdated_fact_is_replaced_in_every_row() {
    for Update { facts, update, outdated } in updates() {
        let [index] = outdated[..] else { continue };
        let rest = "\n## Notes\n- Facts are as told.\n";
        let mut agent = Agent::shown(&format!("## Facts\n{}{rest}", list(&facts)));
        let arguments = json!({"old_string": facts[index], "new_string": update});
        let mut reply = agent.replace(&arguments);
        if list(&facts).matches(&facts[index]).count() > 1 {
            assert_eq!(reply.code(), Some(Code::CountMismatch));
            reply = agent.replace(
                &json!({"old_string": format!("- {}\n", facts[index]), "new_string": format!("- {update}\n")}),
            );
        }
        assert_eq!(reply.status(), Status::Committed, "{reply}");
        let mut expected = facts.clone();
        expected[index] = update;
        assert_eq!(agent.text(), format!("## Facts\n{}{rest}", list(&expected)));
    }
}

#[test]
fn a_fact_that_stands_in_another_line_too_is_refused_until_a_candidate_is_chosen() {
    for Update { facts, update, .. } in updates() {
        let archive: String =
            facts.iter().step_by(3).map(|fact| format!("- Told in May: {fact} Not checked.\n")).collect();
        let text = format!("## Facts\n{}\n## Archive\n{archive}", list(&facts));
        for (index, fact) in facts.iter().enumerate().filter(|(_, fact)| text.matches(fact.as_str()).count() > 1) {
            let mut agent = Agent::shown(&text);
            let arguments = json!({"old_string": fact, "new_string": update});
            let refused = agent.replace(&arguments);
            assert_eq!(refused.code(), Some(Code::CountMismatch), "{refused}");
            assert_eq!(agent.text(), text, "an error changes nothing");
            let line = u64::try_from(index).unwrap() + 2;
            let candidates = refused.get("candidates").and_then(Value::as_array).unwrap();
            let candidate = candidates.iter().find(|candidate| candidate["line"] == line).unwrap();
            let mut arguments = arguments.clone();
            arguments.as_object_mut().unwrap().extend(candidate["change"].as_object().unwrap().clone());
            let reply = agent.replace(&arguments);
            assert_eq!(reply.status(), Status::Committed, "{reply}");
            let mut expected = facts.clone();
            expected[index].clone_from(&update);
            assert_eq!(agent.text(), format!("## Facts\n{}\n## Archive\n{archive}", list(&expected)));
        }
    }
}
