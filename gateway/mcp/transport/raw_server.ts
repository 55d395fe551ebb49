/** Server of the library that sends the results of tools as they are. For content that fails its
 * check, the library would describe each block, which takes a gigabyte for one megabyte of
 * blocks. */

import { isInputRequiredResult, Server } from "@modelcontextprotocol/server";

type Wrap = Server["_wrapHandler"];
type Handler = Parameters<Wrap>[1];

export class RawServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): ReturnType<Wrap> {
    if (method !== "tools/call") return super._wrapHandler(method, handler);
    return async (request, context) => {
      let result: Awaited<ReturnType<Handler>> | undefined;
      const wrapped = super._wrapHandler(method, async (...call) => {
        const answer = await handler(...call);
        result = isInputRequiredResult(answer) ? undefined : answer;
        return result ? { content: [] } : answer;
      });
      const checked = await wrapped(request, context);
      // Without a result the library has one: a question, or why it cannot be asked.
      return result ? { content: [], ...result } : checked;
    };
  }
}
