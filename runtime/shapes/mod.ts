/** Learned shapes of results. */

export { createShapes, type Shapes } from "./shapes.ts";
