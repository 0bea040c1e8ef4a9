import { createServer, type Server } from 'node:http';
import {
  forExpress,
  type ReceiverOptions,
  type WebhookEvent,
  webhookReceiver,
} from '@sinete/client/webhooks';
import type { Inbox } from './inbox.ts';

type Options = Pick<ReceiverOptions, 'authType' | 'token' | 'secret'> & {
  readonly inbox: Inbox;
  /** Your own work. An event comes to it again after a failure or a restart: it must do nothing twice. */
  readonly work: (event: WebhookEvent, id: string) => Promise<void> | void;
};

/** Keeps events in the inbox, confirms them, and works on them afterwards, one at a time. */
export function createReceiver({ inbox, work, ...registered }: Options) {
  let working = Promise.resolve();
  const workLater = (): Promise<void> => {
    working = working.then(() => inbox.workOff(work)).catch((error) => console.error(error));
    return working;
  };
  const receive = forExpress(
    webhookReceiver({
      ...registered,
      // The inbox remembers what was kept, over a restart too.
      seen: { begin: () => 'new', end: () => undefined },
      handle: async (event, { id }) => {
        await inbox.keep(id, event);
        // Not waited for: an answer that comes late is a failure, and the event comes again.
        void workLater();
      },
    }),
  );
  const server: Server = createServer((request, response) =>
    receive(request, response, (error) => {
      // Without a confirmation it comes again.
      console.error(`An event could not be kept: ${error}`);
      response.writeHead(500, { connection: 'close' }).end();
    }),
  );
  return { server, workLater };
}
