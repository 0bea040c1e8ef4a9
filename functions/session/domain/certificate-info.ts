import { icpBrasilIdentity } from '../../../shared/pki/icp-brasil/icp-brasil.ts';
import { formatSerial } from '../../../shared/pki/model/certificate-model.ts';
import { boundCertificate } from './held-certificates.ts';
import { activeSession } from './session.ts';

/** The certificate that a session is bound to, as it was last found. Asking never extends the session. */
export async function certificateInfo(sessionId: string, nowMs = Date.now()) {
  const session = await activeSession(sessionId, nowMs);
  const { certificate, verdict } = await boundCertificate(session, nowMs);
  return {
    cpf: icpBrasilIdentity(certificate).cpf ?? session.cpf,
    subjectName: certificate.subject.text,
    issuer: certificate.issuer.text,
    serialNumber: formatSerial(certificate),
    notBefore: new Date(certificate.notBeforeMs).toISOString(),
    notAfter: new Date(certificate.notAfterMs).toISOString(),
    status: verdict.status,
  };
}
