// Controls for the options of a game, made of what the core says that they can be.

import { make } from "./elements.js";

export const spaced = (name) => (name[0].toUpperCase() + name.slice(1)).replaceAll("_", " ");

/** A labelled row of a form, for a control or two. */
export function row(parent, title, meaning) {
  const label = make("label", parent, "adjoin-row");
  make("span", label, "", { textContent: title });
  if (meaning) label.title = meaning;
  return label;
}

/** A control with the name of its row. */
export const control = (tag, label, more = {}) => make(tag, label, "", { ariaLabel: label.textContent, ...more });

/** A choice of one among values, which may be anything that is JSON. */
export function select(label, values, value, change, name = String) {
  const box = control("select", label);
  values.forEach((each, nth) => make("option", box, "", { value: nth, textContent: name(each), selected: JSON.stringify(each) === JSON.stringify(value) }));
  box.onchange = () => change(values[box.value]);
  return box;
}

/** The control of an option: `kind` is one of the settings of a game's spec, `change` hears what is chosen. */
export function optionControl(parent, name, kind, value, meaning, change) {
  const label = () => row(parent, spaced(name), meaning);
  if (kind === "switch") {
    const box = control("input", label(), { type: "checkbox", checked: value });
    box.onchange = () => change(box.checked);
  } else if (kind.number) {
    const [min, max] = kind.number;
    const box = control("input", label(), { type: "number", min, max, placeholder: "as usual", value: typeof value === "number" ? value : "" });
    box.onchange = () => box.reportValidity() && change(box.value === "" ? undefined : Number(box.value));
  } else if (kind.one) select(label(), kind.one, value, change);
  else if (kind.several.length > 1) several(parent, name, kind.several, value, meaning, change);
}

/** Some of several words; all of them is nothing in particular. */
function several(parent, name, words, value, meaning, change) {
  const group = make("fieldset", parent, "adjoin-several");
  make("legend", group, "", { textContent: spaced(name), title: meaning });
  for (const word of words) {
    const label = make("label", group, "");
    const box = make("input", label, "", { type: "checkbox", checked: (value ?? words).includes(word) });
    label.append(word);
    box.onchange = () => {
      const ticked = words.filter((_, nth) => group.querySelectorAll("input")[nth].checked);
      change(ticked.length && ticked.length < words.length ? ticked : null);
    };
  }
}
