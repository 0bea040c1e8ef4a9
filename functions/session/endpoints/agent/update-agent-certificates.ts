import { HeldCertificates } from '../../../../shared/workstation/messages.ts';
import { registerCertificates } from '../../domain/workstations/certificates.ts';
import { agentEndpoint } from '../../http/agent-endpoint.ts';

export const handler = agentEndpoint(
  {
    route: 'POST /agent/certificates',
    summary: 'Tell which certificates a workstation holds',
    body: HeldCertificates,
  },
  async ({ agent, body }) => ({ certificates: await registerCertificates(agent, body) }),
);
