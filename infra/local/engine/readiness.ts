import { accessSync, constants, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../../../shared/command-line/reason.ts';
import { SERVICES } from '../../../shared/settings/names.ts';

/**
 * Throws a line that names the service, unless one function of each has answered: then its code loads, its settings
 * hold and its routes are served.
 * @example await requireAnswers('http://localhost:3000')
 */
export async function requireAnswers(url: string): Promise<void> {
  await Promise.all([...SERVICES, 'sandbox'].map((service) => requireAnswer(url, service)));
}

async function requireAnswer(url: string, service: string): Promise<void> {
  const address = `${url}/${service}/healthz`;
  const answer = await fetch(address).catch((error: unknown) => {
    throw new Error(`${address} does not answer: ${reasonOf(error)}.`, { cause: error });
  });
  await answer.body?.cancel();
  if (!answer.ok)
    throw new Error(`The ${service} service does not work: ${address} answers ${answer.status}.`);
}

/** Throws a line that says what to do if the ready file cannot be written later. */
export function requireReadyFile(path: string | undefined): void {
  if (path === undefined) return;
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw unwritable(path, reasonOf(error));
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw unwritable(path, 'it is a folder');
}

/** Writes the file of `--ready-file`: the first request would succeed. */
export function writeReadyFile(path: string | undefined, url: string): void {
  if (path === undefined) return;
  try {
    writeFileSync(path, `${url}\n`);
  } catch (error) {
    throw unwritable(path, reasonOf(error));
  }
}

export function removeReadyFile(path: string | undefined): void {
  if (path !== undefined) rmSync(path, { force: true });
}

const unwritable = (path: string, reason: string): Error =>
  new Error(
    `--ready-file ${path} cannot be written: ${reason}. Name a file in a folder that exists and is yours.`,
  );
