import { readFileSync } from 'node:fs';
import { policyFromDer, type SignaturePolicy } from './cms/policy.ts';
import { SigningRefused } from './errors.ts';

/** A signature policy cannot be loaded. The message names the file and the reason. */
export class PolicyUnusable extends Error {
  override readonly name = 'PolicyUnusable';
}

const loaded = new Map<string, SignaturePolicy>();

/**
 * Reads a signature policy from its DER file, once per process: its OID, and the hash that the file carries. The file
 * does not say where it is published: `uri` does, and without it signatures name no address. Throws PolicyUnusable.
 * @example const policy = readPolicy('trust/PA_AD_RB_v2_3.der', 'http://politicas.icpbrasil.gov.br/PA_AD_RB_v2_3.der');
 */
export function readPolicy(file: string, uri?: string): SignaturePolicy {
  const policy = loaded.get(file) ?? readFile(file);
  loaded.set(file, policy);
  return uri === undefined ? policy : { ...policy, uri };
}

function readFile(file: string): SignaturePolicy {
  try {
    return policyFromDer(readFileSync(file));
  } catch (cause) {
    const isFile = cause instanceof Error && 'code' in cause;
    if (!isFile && !(cause instanceof SigningRefused)) throw cause;
    throw new PolicyUnusable(`The signature policy in ${file} cannot be used: ${cause.message}`, { cause });
  }
}
