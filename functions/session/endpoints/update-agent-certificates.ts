import { HeldCertificates } from '../../../shared/workstation/messages.ts';
import { agentEndpoint } from '../agent-endpoint.ts';
import { registerCertificates } from '../domain/workstations/certificates.ts';

export const handler = agentEndpoint(
  {
    route: 'POST /agent/certificates',
    summary: 'Tell which certificates a workstation holds',
    body: HeldCertificates,
  },
  async ({ agent, body }) => ({ certificates: await registerCertificates(agent, body) }),
);
