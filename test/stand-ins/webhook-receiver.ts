import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listening } from "../listening.ts";

export interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly event: { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> };
}

export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** How it answers; with 204 unless told otherwise. */
  answer: (response: ServerResponse) => void;
}

export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    receiver.received.push({ headers: request.headers as Record<string, string>, body, event: JSON.parse(body) });
    receiver.answer(response);
  });
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${await listening(server)}/hooks`,
    received: [],
    answer: (response) => response.writeHead(204).end(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
