import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A folder of events, one file each, named by the webhook-id. Events survive a restart; a database table with a unique
 * key does the same.
 */
export function openInbox(folder) {
  mkdirSync(folder, { recursive: true });
  const fileOf = (id) => join(folder, `${id}.json`);
  const doneOf = (id) => join(folder, `${id}.done`);

  return {
    // The same event twice, side by side or days apart:
    //
    //   first    write aside --- link ---- 204
    //   second        write aside --- link: there is one already ---- 204
    //
    // The file appears whole or not at all, and once.
    async keep(id, body) {
      const aside = join(folder, `.${randomUUID()}`);
      try {
        await writeFile(aside, body, { flush: true });
        await link(aside, fileOf(id));
        return 'new';
      } catch (error) {
        if (error.code === 'EEXIST') return 'repeated';
        throw error;
      } finally {
        await rm(aside, { force: true });
      }
    },

    /** Events that are not done, those of a stopped process included. */
    async waiting() {
      const ids = (await readdir(folder))
        .filter((name) => name.endsWith('.json'))
        .map((name) => name.slice(0, -5));
      return ids.filter((id) => !existsSync(doneOf(id)));
    },

    read: async (id) => JSON.parse(await readFile(fileOf(id), 'utf8')),
    done: (id) => writeFile(doneOf(id), ''),
  };
}
