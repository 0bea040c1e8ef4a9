import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEvent, type WebhookEvent } from '@sinete/client/webhooks';

export type Inbox = ReturnType<typeof openInbox>;

/**
 * A folder of events, one file each, named by the webhook-id. Events survive a restart; a database table with a unique
 * key does the same.
 */
export function openInbox(folder: string) {
  mkdirSync(folder, { recursive: true });
  const fileOf = (id: string) => join(folder, `${id}.json`);
  const doneOf = (id: string) => join(folder, `${id}.done`);

  return {
    // The same event twice, side by side or days apart:
    //
    //   first    write aside --- link ---- 204
    //   second        write aside --- link: there is one already ---- 204
    //
    // The file appears whole or not at all, and once.
    async keep(id: string, event: WebhookEvent): Promise<void> {
      const aside = join(folder, `.${randomUUID()}`);
      try {
        await writeFile(aside, JSON.stringify(event), { flush: true });
        await link(aside, fileOf(id));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      } finally {
        await rm(aside, { force: true });
      }
    },

    /** Works on the events that are not done, those of a stopped process included. What fails is tried next time. */
    async workOff(work: (event: WebhookEvent, id: string) => Promise<void> | void): Promise<void> {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
      for (const id of names.map((name) => name.slice(0, -'.json'.length))) {
        if (existsSync(doneOf(id))) continue;
        try {
          await work(parseEvent(await readFile(fileOf(id), 'utf8')), id);
          await writeFile(doneOf(id), '');
        } catch (error) {
          console.error(`Event ${id} was not worked on: ${error}`);
        }
      }
    },
  };
}
