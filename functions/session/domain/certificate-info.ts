import { serialText } from '../../../shared/pki/certificate/model.ts';
import { icpBrasilIdentity } from '../../../shared/pki/icp-brasil/icp-brasil.ts';
import { boundCertificate } from './held-certificates.ts';
import { requireActiveSession } from './session.ts';

/** The certificate that a session is bound to, as it was last found. Asking never extends the session. */
export async function describeCertificate(sessionId: string, nowMs = Date.now()) {
  const session = await requireActiveSession(sessionId, nowMs);
  const { certificate, verdict } = await boundCertificate(session, nowMs);
  return {
    cpf: icpBrasilIdentity(certificate).cpf ?? session.cpf,
    subjectName: certificate.subject.text,
    issuer: certificate.issuer.text,
    serialNumber: serialText(certificate),
    notBefore: new Date(certificate.notBeforeMs).toISOString(),
    notAfter: new Date(certificate.notAfterMs).toISOString(),
    status: verdict.status,
  };
}
