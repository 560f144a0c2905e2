// The map with what a class has chosen.

import { make } from "./quiz_elements.js";
import { mapView } from "./map.js";

const ORDER = ["subject", "right", "wrong"];
const LEGEND = { subject: "asked about", right: "✓ right", wrong: "✗ not right" };

/** Draw the places of an answer, each with its name and how many chose it; null without a map. */
export function classMap(parent, map, { places, way }, noun) {
  if (!map || !places?.length) return null;
  const figure = make("figure", parent, "adjoin-figure");
  const text = ({ name, count }) => (count ? `${name}: ${count}` : name);
  const view = mapView(figure, map, {
    noun,
    title: `The answer on the map: ${places.map(text).join(", ")}`,
    marks: Object.fromEntries(places.map(({ id, is }) => [id, `adjoin-is-${is}`])),
    labels: Object.fromEntries(places.map((place) => [place.id, text(place)])),
  });
  if (way.length) view.link(way);
  view.zoomTo(places.map(({ id }) => id));
  const legend = make("figcaption", figure, "adjoin-legend");
  for (const is of ORDER.filter((one) => places.some((place) => place.is === one))) {
    const item = make("span", legend);
    make("i", item, `adjoin-swatch adjoin-is-${is}`);
    item.append(LEGEND[is]);
  }
  if (places.some(({ count }) => count)) make("span", legend, "", { textContent: "numbers: how many chose it" });
  return view;
}
