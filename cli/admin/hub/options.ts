import { AdminRefusal } from '../../../shared/access/administration.ts';
import type { ValuesOf } from '../../../shared/command-line/parse.ts';
import type { PinSource } from '../../terminal/pin.ts';

/** The options of `hub providers`, for parseArgs. */
export const HUB_OPTIONS = {
  url: { type: 'string' },
  company: { type: 'string' },
  'client-id': { type: 'string' },
  'secret-file': { type: 'string' },
  'secret-env': { type: 'string' },
  badge: { type: 'string' },
  'hash-encoding': { type: 'string' },
  'token-body': { type: 'string' },
  hashes: { type: 'string' },
  'no-alias': { type: 'boolean' },
  discovery: { type: 'string' },
  timeout: { type: 'string', multiple: true },
  replace: { type: 'boolean' },
} as const;

/** Their values, and the CPF or CNPJ that a test asks for. */
export type HubValues = ValuesOf<typeof HUB_OPTIONS> & { readonly identifier?: string | undefined };

const KINDS = ['discovery', 'token', 'certificates', 'signature'] as const;

// More than any caller of the hub signs at once.
const USUAL_HASHES = '100';

/** The provider of these options, with the defaults of the national specification. Throws AdminRefusal. */
export const providerOf = (name: string, values: HubValues) => ({
  name,
  company: values.company ?? '',
  baseUrl: (values.url ?? '').replace(/\/+$/, ''),
  badgeUrl: values.badge ?? null,
  clientId: values['client-id'] ?? '',
  hashEncoding: oneOf('--hash-encoding', values['hash-encoding'] ?? 'base64', ['base64', 'hex']),
  tokenBody: oneOf('--token-body', values['token-body'] ?? 'form', ['form', 'json']),
  hashesPerCall: Number(values.hashes ?? USUAL_HASHES),
  sendsAlias: !values['no-alias'],
  discovery: oneOf('--discovery', values.discovery ?? 'client', ['client', 'application-token', 'none']),
  timeouts: Object.fromEntries((values.timeout ?? []).map(timeoutIn)),
});

export const secretSource = (values: HubValues): PinSource => ({
  file: values['secret-file'],
  variable: values['secret-env'],
});

function oneOf<const Word extends string>(option: string, given: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === given);
  if (found === undefined) throw new AdminRefusal(`${option} is one of: ${words.join(', ')}.`);
  return found;
}

// Written as KIND=SECONDS, for example signature=60.
function timeoutIn(text: string): [string, number] {
  const [, kind = '', seconds] = /^(\w+)=(\d+)$/.exec(text) ?? [];
  const known = KINDS.find((each) => each === kind);
  if (known === undefined)
    throw new AdminRefusal(`Write --timeout KIND=SECONDS, KIND being one of: ${KINDS.join(', ')}.`);
  return [`${known}Seconds`, Number(seconds)];
}
