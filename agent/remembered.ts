import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import {
  type Certificate,
  CertificateMalformed,
  parseCertificate,
} from '../shared/pki/certificate/certificate.ts';
import { writePrivately } from './identity.ts';

/** A certificate, and the proof that this agent can sign with its key. Neither is secret. */
export type Proven = { readonly certificate: Certificate; readonly proof: Buffer };

const Remembered = z.object({
  agentId: z.string(),
  source: z.string(),
  certificates: z.array(z.object({ der: z.base64(), proof: z.base64() })),
});

const pathIn = (dataDir: string): string => join(dataDir, 'certificates.json');

type Memory = { readonly dataDir: string; readonly agentId: string };

/**
 * The proofs that were made with this token or file before, so that the holder is asked once and not at every start.
 * Unreadable proofs are made again.
 */
export function recall({ dataDir, agentId }: Memory, source: string): Proven[] {
  try {
    const read = Remembered.parse(JSON.parse(readFileSync(pathIn(dataDir), 'utf8')));
    if (read.agentId !== agentId || read.source !== source) return [];
    return read.certificates.map(({ der, proof }) => ({
      certificate: parseCertificate(Buffer.from(der, 'base64')),
      proof: Buffer.from(proof, 'base64'),
    }));
  } catch (error) {
    const isUnreadable =
      error instanceof SyntaxError || error instanceof z.ZodError || error instanceof CertificateMalformed;
    if (isUnreadable || (error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export function remember({ dataDir, agentId }: Memory, source: string, proven: readonly Proven[]): void {
  const certificates = proven.map(({ certificate, proof }) => ({
    der: certificate.der.toString('base64'),
    proof: proof.toString('base64'),
  }));
  writePrivately(dataDir, pathIn(dataDir), { agentId, source, certificates });
}
