import { Refusal } from '../errors/errors.ts';
import { type Logger, logger } from '../log/logger.ts';
import type { ServiceName } from '../settings/names.ts';
import { endRun } from '../telemetry/end-run.ts';
import type { SpanEnd } from '../trace/span.ts';
import { inSpan } from '../trace/spans.ts';
import { runInTrace, startTrace } from '../trace/trace.ts';
import { type ConnectionAddress, closeConnection } from './connections.ts';
import '../settings/values-at-start.ts';

/** An event of API Gateway's WebSocket API, as far as it is read. */
export type SocketEvent = {
  readonly requestContext: {
    readonly eventType: 'CONNECT' | 'MESSAGE' | 'DISCONNECT';
    readonly connectionId: string;
    readonly apiId?: string;
    readonly stage?: string;
    readonly requestId?: string;
  };
  /** Of the request that opens the connection. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
  /** From hosts other than API Gateway: where they take messages for their connections. */
  readonly connectionsUrl?: string;
};

type SocketResult = { readonly statusCode: number };

const LINE_EVERY_MS = 1_000;

type Routes = {
  /** Throws a refusal for whoever may not connect. Nothing can be sent before it ends. */
  readonly connect: (
    connection: ConnectionAddress,
    headers: Readonly<Record<string, string>>,
  ) => Promise<void>;
  /** A refusal ends the connection. */
  readonly message: (connection: ConnectionAddress, text: string) => Promise<void>;
  /** Best effort: API Gateway does not always learn that a connection has ended. */
  readonly disconnect: (connection: ConnectionAddress) => Promise<void>;
};

/**
 * The function of a WebSocket API: $connect, $default and $disconnect. A failure is thrown to the host, which counts it;
 * whoever connects is refused by it.
 * @example export const handler = socketHandler('session', 'agent-socket', { connect, message, disconnect });
 */
export function socketHandler(
  service: ServiceName,
  name: string,
  { connect, message, disconnect }: Routes,
): (event: SocketEvent) => Promise<SocketResult> {
  const log = logger(service).with({ socket: name });
  // Anybody may try to connect: a line a second says how many were refused since the line before.
  const unsaid = { atMs: 0, refused: 0 };
  const logRefusal = (own: Logger, isStranger: boolean, code: string): void => {
    unsaid.refused += 1;
    if (isStranger && Math.abs(Date.now() - unsaid.atMs) < LINE_EVERY_MS) return;
    own.info('A WebSocket event was refused.', { code, refused: unsaid.refused });
    Object.assign(unsaid, { atMs: Date.now(), refused: 0 });
  };
  const runOnce = async (event: SocketEvent): Promise<SocketResult> => {
    const { eventType, connectionId: id } = event.requestContext;
    const connection = { id, url: event.connectionsUrl ?? managementUrl(event) };
    const own = log.with({ event: eventType });
    try {
      if (eventType === 'CONNECT') await connect(connection, lowerCased(event.headers ?? {}));
      else if (eventType === 'MESSAGE') await message(connection, textOf(event));
      else await disconnect(connection);
      return { statusCode: 200 };
    } catch (error) {
      if (error instanceof Refusal) logRefusal(own, eventType === 'CONNECT', error.code);
      else own.error('A WebSocket event failed.', { error });
      // What a refused message was about is not said to whoever sent it.
      if (eventType === 'MESSAGE')
        await closeConnection(connection).catch((failure) =>
          own.warn('A connection could not be ended.', { error: failure }),
        );
      if (error instanceof Refusal) return { statusCode: error.status };
      throw error;
    }
  };
  return async (event) => {
    const { eventType, requestId: gatewayRequestId } = event.requestContext;
    const trace = startTrace({ service, gatewayRequestId });
    const span = { kind: 'server', name: `${name} ${eventType}` } as const;
    try {
      return await runInTrace(trace, () => inSpan(trace, span, () => runOnce(event), endOf));
    } finally {
      await endRun();
    }
  };
}

const endOf = ({ statusCode }: SocketResult): SpanEnd => ({ isError: statusCode >= 500 });

/**
 * API Gateway's own name works beside a domain of the operator's, whose path nobody knows here. An emulator's is in the
 * SDK's own variable.
 */
const managementUrl = ({ requestContext: { apiId, stage } }: SocketEvent): string =>
  process.env.AWS_ENDPOINT_URL_APIGATEWAYMANAGEMENTAPI ??
  `https://${apiId}.execute-api.${process.env.AWS_REGION}.${dnsSuffix(process.env.AWS_REGION)}/${stage}`;

const dnsSuffix = (region = ''): string => (region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com');

const textOf = ({ body, isBase64Encoded = false }: SocketEvent): string =>
  isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString('utf8') : (body ?? '');

const lowerCased = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value ?? '']));
