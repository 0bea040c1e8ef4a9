import { setTimeout as pause } from 'node:timers/promises';
import type { Digest } from '../../../../shared/signing/digest.ts';
import { settings } from '../../settings.ts';
import { providerErrors } from '../errors.ts';

/** A cloud certificate provider as one meets them: of one protocol, and each with its own habits. */
export type SandboxProvider = {
  readonly name: string;
  readonly company: string;
  readonly holder: ProviderHolder;
  /** How hashes come in. */
  readonly hashEncoding: 'base64' | 'hex';
  readonly tokenBody: 'form' | 'json';
  readonly certificateForm: 'pem' | 'base64';
  readonly signatureForm: 'base64' | 'base64url';
  /** Who asks whether it keeps somebody's certificate: the client by its secret, or whoever has an application's token. */
  readonly discovery: 'client' | 'application-token';
  readonly hashesPerCall: number;
  readonly digests: readonly Digest[];
};

/** The only one who keeps certificates there. */
export type ProviderHolder = {
  readonly identifierType: 'CPF' | 'CNPJ';
  readonly identifier: string;
  readonly name: string;
  /** Members of the sandbox's authority. Neither the first nor the last is the newest: whoever chooses must look. */
  readonly aliases: readonly string[];
};

const alpha: SandboxProvider = {
  name: 'alpha',
  company: 'Alpha Certificates',
  holder: {
    identifierType: 'CPF',
    identifier: '52998224725',
    name: 'SANDBOX HOLDER 52998224725',
    aliases: ['alpha-1', 'alpha-3', 'alpha-2'],
  },
  hashEncoding: 'base64',
  tokenBody: 'form',
  certificateForm: 'pem',
  signatureForm: 'base64',
  discovery: 'client',
  hashesPerCall: 100,
  digests: ['sha1', 'sha256', 'sha384', 'sha512'],
};

// The habits of the public provider among them: five hashes a call, and two algorithms.
const beta: SandboxProvider = {
  name: 'beta',
  company: 'Beta Trust Services',
  holder: {
    identifierType: 'CNPJ',
    identifier: '11222333000181',
    name: 'SANDBOX HOLDER 11222333000181',
    aliases: ['11222333000181'],
  },
  hashEncoding: 'hex',
  tokenBody: 'json',
  certificateForm: 'base64',
  signatureForm: 'base64url',
  discovery: 'application-token',
  hashesPerCall: 5,
  digests: ['sha256', 'sha512'],
};

const ANSWERING: ReadonlyMap<string, SandboxProvider> = new Map(
  [alpha, beta].map((each) => [each.name, each]),
);
const SILENT = 'gamma';

/**
 * The provider by this name. With gamma one waits in vain: it takes the request and says nothing.
 * @example const provider = await reachProvider('alpha');
 */
export async function reachProvider(name: string): Promise<SandboxProvider> {
  const found = ANSWERING.get(name);
  if (found) return found;
  if (name !== SILENT) throw providerErrors.refuse('not_found');
  await pause(settings['Providers:SilentFor'] * 1000);
  throw providerErrors.refuse('temporarily_unavailable');
}
