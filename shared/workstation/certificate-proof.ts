import { createHash } from 'node:crypto';
import { type Certificate, PublicKeyUnsupported } from '../pki/certificate/certificate.ts';
import type { SigningDigest } from '../signing/digest.ts';
import { isSignatureOfHash } from '../signing/key-verify.ts';

/** The digest of proofs. */
export const PROOF_DIGEST: SigningDigest = 'sha256';

/**
 * The hash that an agent signs to prove that it holds a certificate's key. Certificates are public: without the proof,
 * any agent could name another holder's certificate and be offered that holder's PIN. The hash includes the agent's id,
 * so that a proof is valid for one agent only.
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
