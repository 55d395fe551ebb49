/** A gateway in front of a shop, and what was written there. */

import { openGateway, type TestGateway } from "./gateway.ts";
import { shopCommand } from "./servers.ts";

export interface Shop extends AsyncDisposable {
  readonly gateway: TestGateway;
  /** Writes that were made, `refund {"id":1}`. */
  writes(): Promise<string[]>;
}

/** Opens a gateway whose `shop.refund` and `shop.purge` must be confirmed. */
export async function openShop(
  { security = {}, ...config }: { security?: object; [key: string]: unknown } = {},
  at: Parameters<typeof openGateway>[1] = {},
): Promise<Shop> {
  const gateway = await openGateway({
    servers: { shop: shopCommand() },
    security: { ask: ["shop.refund", "shop.purge"], ...security },
    ...config,
  }, at);
  await gateway.ready();
  return {
    gateway,
    async writes() {
      const response = await gateway.post("/tools/shop__journal", {});
      const { result } = await response.json();
      return result.map(({ tool, args }: { tool: string; args: unknown }) =>
        `${tool} ${JSON.stringify(args)}`
      );
    },
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}
