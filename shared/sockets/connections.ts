import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { processWide } from '../async/process-wide.ts';
import { withoutLog } from '../net/without-log.ts';

/** A WebSocket connection, and the gateway that holds it: API Gateway, or a process of the engine or the host. */
export type ConnectionAddress = { readonly id: string; readonly url: string };

/** A gateway in this process: it is asked without a request. Both are false where the connection has ended. */
export type OwnGateway = {
  readonly post: (id: string, text: string) => boolean;
  readonly close: (id: string) => boolean;
};

/** The gateways of this process, by their addresses. @example ownGateways().set(url, { post, close }); */
export const ownGateways = (): Map<string, OwnGateway> =>
  processWide('socket-gateways', () => new Map<string, OwnGateway>());

// A gateway takes a message in milliseconds, and callers wait for it. A message that is lost costs little: whoever
// connects asks for what there is.
const ANSWER_WITHIN_MS = 2_000;
const MAX_ATTEMPTS = 2;
/** What a gateway answers about a connection that has ended. */
const GONE = 410;

const clients = new Map<string, ApiGatewayManagementApiClient>();
// One on AWS. On one machine a process that was started again has another address.
const MAX_CLIENTS = 20;

function clientOf(url: string): ApiGatewayManagementApiClient {
  const known = clients.get(url);
  if (known) return known;
  if (clients.size >= MAX_CLIENTS) clients.clear();
  const client = withoutLog(
    new ApiGatewayManagementApiClient({
      endpoint: url,
      maxAttempts: MAX_ATTEMPTS,
      requestHandler: { requestTimeout: ANSWER_WITHIN_MS, throwOnRequestTimeout: true },
      // The gateway of this machine knows connections by ids that cannot be guessed, and checks no key.
      ...(isOnThisMachine(url) && { region: 'local', credentials: NO_KEY }),
    }),
  );
  clients.set(url, client);
  return client;
}

const NO_KEY = { accessKeyId: 'local', secretAccessKey: 'local' };
const isOnThisMachine = (url: string): boolean => url.startsWith('http://127.0.0.1:');

/**
 * Sends a text to whoever is connected. False where the connection has ended.
 * @example if (!(await postToConnection(connection, JSON.stringify(message)))) await forget(connection);
 */
export const postToConnection = async ({ id, url }: ConnectionAddress, text: string): Promise<boolean> =>
  ownGateways().get(url)?.post(id, text) ??
  isThere(url, clientOf(url).send(new PostToConnectionCommand({ ConnectionId: id, Data: text })));

/** Ends a connection. False where it has ended already. @example await closeConnection(connection); */
export const closeConnection = async ({ id, url }: ConnectionAddress): Promise<boolean> =>
  ownGateways().get(url)?.close(id) ??
  isThere(url, clientOf(url).send(new DeleteConnectionCommand({ ConnectionId: id })));

async function isThere(url: string, sent: Promise<unknown>): Promise<boolean> {
  try {
    await sent;
    return true;
  } catch (error) {
    // Not by the name of the error, which emulators leave out.
    if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === GONE)
      return false;
    // The process that held the connection is gone, and the connection with it.
    if (isOnThisMachine(url) && (error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return false;
    throw error;
  }
}
