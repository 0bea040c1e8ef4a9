// Which stores the host uses, and nothing else: the embedded ones, those of AWS, or others at endpoints.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { reasonOf } from '../../shared/command-line/reason.ts';
import { provideStores } from '../../shared/embedded/provided.ts';
import { openStores, type Stores } from '../../shared/embedded/stores.ts';
import { logger } from '../../shared/log/logger.ts';
import { freeAbandonedWork } from '../local/stores/abandoned-work.ts';
import { externalEndpoints } from '../local/stores/endpoints.ts';
import { collectExpired, storesIn } from '../local/stores/own.ts';

/** The choice, as the host's file has it. */
type Chosen = {
  readonly stores: 'embedded' | 'aws' | 'endpoints';
  /** The data folder. The embedded stores need one. */
  readonly data?: string | undefined;
  readonly publicUrl: string;
};

/** The path below which links to files of the embedded stores lead. */
export const LINKS_PATH = '/store';

/** What the AWS clients need of the environment, and a line for each thing that is missing there. */
export function environmentOfStores(
  { stores, publicUrl }: Chosen,
  given: NodeJS.ProcessEnv,
): { env: Record<string, string>; problems: string[] } {
  switch (stores) {
    case 'embedded':
      return { env: embedded(publicUrl, given), problems: [] };
    case 'endpoints':
      return endpoints(given);
    case 'aws':
      return {
        env: {},
        problems: ['AWS_REGION', 'AWS_ACCOUNT_ID']
          .filter((name) => !given[name])
          .map((name) => `${name} is not set: the stores of AWS are found by it.`),
      };
  }
}

// No request leaves this process for a store. The SDK asks for a region and a key before it finds that out.
const embedded = (publicUrl: string, given: NodeJS.ProcessEnv): Record<string, string> => ({
  AWS_REGION: given.AWS_REGION ?? 'us-east-1',
  AWS_ACCOUNT_ID: given.AWS_ACCOUNT_ID ?? '000000000000',
  ...(!given.AWS_PROFILE &&
    !given.AWS_ACCESS_KEY_ID && { AWS_ACCESS_KEY_ID: 'embedded', AWS_SECRET_ACCESS_KEY: 'embedded' }),
  Stores__LinksUrl: `${publicUrl}${LINKS_PATH}`,
});

function endpoints(given: NodeJS.ProcessEnv) {
  try {
    const env = externalEndpoints(given);
    if (env) return { env, problems: [] };
    return { env: {}, problems: ['AWS_ENDPOINT_URL is not set: stores: endpoints finds the stores by it.'] };
  } catch (error) {
    return { env: {}, problems: [reasonOf(error)] };
  }
}

export type HostStores = {
  /** Answers a request below LINKS_PATH, where the stores are embedded. */
  readonly answerLink?: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Deletes what has expired, until the stop. One process does it. */
  readonly collect: () => { stop(): Promise<void> };
  readonly close: () => void;
};

const OF_OTHERS: HostStores = { collect: () => ({ stop: async () => undefined }), close: () => undefined };

/** Has the clients of this process use the stores of the host. @example const { close } = useHostStores(config); */
export function useHostStores({ stores: kind, data }: Pick<Chosen, 'stores' | 'data'>): HostStores {
  if (kind !== 'embedded' || data === undefined) return OF_OTHERS;
  const stores = openStores({ folder: storesIn(data) });
  provideStores(stores);
  return {
    answerLink: linkHandler(stores),
    collect: () => collectExpired(stores, (line) => logger('host').error(line)),
    close: stores.close,
  };
}

/** Frees the work of the host before this one, which has ended: nobody else uses the folder. */
export async function freeWorkOf({ stores: kind, data }: Pick<Chosen, 'stores' | 'data'>): Promise<void> {
  if (kind !== 'embedded' || data === undefined) return;
  const stores = openStores({ folder: storesIn(data) });
  try {
    await freeAbandonedWork(stores.tables);
    await stores.queues.releaseAll();
  } finally {
    stores.close();
  }
}

/** A sender or reader of a file that is silent for so long is cut off. */
const SILENT_MS = 60_000;

const linkHandler =
  ({ objects }: Stores): NonNullable<HostStores['answerLink']> =>
  async (request, response) => {
    // A proxy may have taken the path of the public address away, so the rest alone names the file.
    request.url = request.url?.slice(LINKS_PATH.length);
    request.socket.setTimeout(SILENT_MS);
    const error = await objects.handle(request, response);
    if (error) logger('host').error('link to a file failed', { error });
  };
