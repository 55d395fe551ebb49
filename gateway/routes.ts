/** Routes of a Hono app, each with the methods that it allows. */

import type { Context, Env, Hono } from "hono";
import { wrongMethod } from "./problem.ts";

type Handler<E extends Env> = (context: Context<E>) => Response | Promise<Response>;

/** Handlers by method; that of GET answers HEAD too. */
export type Methods<E extends Env> = Readonly<Record<string, Handler<E>>>;

/** Builds the function that adds a route to the app; any other method is refused with 405. */
export function createRoutes<E extends Env>(
  app: Hono<E>,
): (path: string, methods: Methods<E>) => void {
  return (path, methods) => {
    app.all(path, (context) => {
      const method = context.req.method === "HEAD" ? "GET" : context.req.method;
      const handler = methods[method];
      if (handler) return handler(context);
      throw wrongMethod(method, Object.keys(methods));
    });
  };
}

/** Reads a parameter of the path; empty where the route has none of that name. */
export function param(context: Context, name: string): string {
  return context.req.param(name) ?? "";
}
