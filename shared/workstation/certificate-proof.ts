import { createHash } from 'node:crypto';
import { type Certificate, PublicKeyUnsupported } from '../pki/certificate/certificate.ts';
import type { SigningDigest } from '../signing/digest.ts';
import { isSignatureOfHash } from '../signing/key-verify.ts';

/** The digest that proofs are made with. */
export const PROOF_DIGEST: SigningDigest = 'sha256';

/**
 * What an agent signs with a certificate's key to show that it holds that key. Certificates are public: without this,
 * any agent could name another holder's and be offered that holder's PIN. The agent's id is in it, so that a proof is
 * good for one agent alone.
 * @example const proof = await store.sign(certificate.sha256, PROOF_DIGEST, proofHash(agentId, certificate.sha256));
 */
export const proofHash = (agentId: string, sha256: string): Buffer =>
  createHash(PROOF_DIGEST).update(`sinete-certificate-proof-v1\n${agentId}\n${sha256}`).digest();

/**
 * Whether the key of this certificate signed the proof for this agent.
 * @example if (!(await provesKey(certificate, agentId, proof))) throw refuse('INVALID_REQUEST');
 */
export async function provesKey(certificate: Certificate, agentId: string, proof: Buffer): Promise<boolean> {
  try {
    const hash = proofHash(agentId, certificate.sha256);
    return await isSignatureOfHash(certificate.publicKey, PROOF_DIGEST, hash, proof);
  } catch (error) {
    if (error instanceof PublicKeyUnsupported) return false;
    throw error;
  }
}
