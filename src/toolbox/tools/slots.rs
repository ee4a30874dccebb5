//! `set_slot` and `remove_slot`: the tools for the slots of the front matter.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::edit::Target;
use crate::locate::Leniency;
use crate::request::SlotOp;
use crate::toolbox::answer::Edited;
use crate::toolbox::arguments::{ArgumentError, Names, Synonyms, as_text};
use crate::toolbox::definition::{About, Asked, CallError, Edits};
use crate::toolbox::retry::Field;
use crate::toolbox::{Effect, ToolDefinition};

pub(super) static SET: ToolDefinition = ToolDefinition::editing::<Set>(About {
    name: "set_slot",
    title: "Set a slot",
    effect: Effect::Settle,
    description: "Gives a slot of your memory this value: a line `name: value` between the `---` lines at the very top, which \
        are made if they are not there. Use it for a fact that has one value at a time, such as the user's name. Example: \
        {\"name\": \"user\", \"value\": \"Ada\"}",
    synonyms: &[NAME, &[("value", "val new_value text content to")]],
    fields: &[(Field::Slot, "/name")],
})
.preparing(value_as_text);

pub(super) static REMOVE: ToolDefinition = ToolDefinition::editing::<Remove>(About {
    name: "remove_slot",
    title: "Remove a slot",
    effect: Effect::Edit,
    description: "Removes a slot of your memory, a line `name: value` between the `---` lines at the very top; with the last \
        one these lines go too. Use it when the fact no longer holds and no other has taken its place. Example: {\"name\": \
        \"travel\"}",
    synonyms: &[NAME],
    fields: &[(Field::Slot, "/name")],
});

const NAME: Synonyms = &[("name", "key slot slot_name field")];

#[derive(Debug, Deserialize, JsonSchema)]
struct Set {
    /// The name of the slot.
    name: String,
    /// Its value, one line.
    value: String,
    #[serde(flatten)]
    target: Target,
}

impl Edits for Set {
    type Told = Edited;

    fn ask(self) -> Result<Vec<Asked>, CallError> {
        self.target.asks(SlotOp::set(self.name, self.value))
    }
}

fn value_as_text(arguments: &mut Value, names: &Names) -> Result<Vec<Leniency>, ArgumentError> {
    as_text(arguments, names, "value")
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Remove {
    /// The name of the slot.
    name: String,
    #[serde(flatten)]
    target: Target,
}

impl Edits for Remove {
    type Told = Edited;

    fn ask(self) -> Result<Vec<Asked>, CallError> {
        self.target.asks(SlotOp::remove(self.name))
    }
}
