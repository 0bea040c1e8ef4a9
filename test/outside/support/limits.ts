import { type Answer, type CallOptions, openService, type Service } from './contract.ts';
import { type Engine, type KeyedService, SANDBOX_KEY } from './engine.ts';

const SERVICES = ['session', 'hub', 'pki', 'documents', 'credentials', 'batch', 'compact'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** What is asked for with a number: at the limit and below it is taken, above it is refused with this code. */
export type Limit = readonly [
  what: string,
  limit: number,
  refusal: string,
  play: (n: number) => Promise<string>,
];

/** Every service, for the first application. */
export async function openServices({
  url,
  applications: [first],
}: Engine): Promise<Readonly<Record<ServiceName, Service>>> {
  const open = async (name: ServiceName) =>
    [name, await openService(url, name, first?.keys[name as KeyedService] ?? SANDBOX_KEY)] as const;
  return Object.fromEntries(await Promise.all(SERVICES.map(open))) as Record<ServiceName, Service>;
}

/** Asks, whatever the answer: 'taken', or the code by which it was refused. */
export async function outcomeOf(service: Service, operation: string, options: CallOptions): Promise<string> {
  const answer = await service.call(operation, { ...options, expect: 'any' });
  return answer.status < 400 ? 'taken' : `${answer.status} ${codeOf(answer)}`;
}

export const codeOf = ({ json, text }: Answer): string =>
  json?.code ?? json?.error?.code ?? json?.title ?? text;

export const text = (length: number): string => 'x'.repeat(length);

export const items = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, n) => item(n));
