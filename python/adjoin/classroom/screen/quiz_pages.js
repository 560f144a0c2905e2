// Pages that follow each other.

import { make } from "./quiz_elements.js";

/** Pages that follow each other in an element; keys go to the page that is shown. */
export function pages(root, options) {
  const target = options.page ? document : root;
  let keys = () => false;
  const listen = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (keys(event)) event.preventDefault();
  };
  target.addEventListener("keydown", listen);
  return {
    /** Show another page; the focus goes there if it was here. */
    turn(className, build) {
      const active = root.getRootNode().activeElement;
      const isHere = options.page || root.contains(active);
      root.replaceChildren();
      keys = () => false;
      const page = make("div", root, className);
      const focus = build(page, (found) => (keys = found));
      if (isHere) {
        focus?.();
        if (options.page) scrollTo(0, 0);
        else root.scrollIntoView({ block: "nearest" });
      }
    },
    stop: () => target.removeEventListener("keydown", listen),
  };
}
