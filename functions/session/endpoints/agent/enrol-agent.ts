import { Enrolment } from '../../../../shared/workstation/messages.ts';
import { serverPublicKey } from '../../domain/workstations/agent.ts';
import { requireFreshStamp, requireSignature } from '../../domain/workstations/authenticate-agent.ts';
import { enrolAgent } from '../../domain/workstations/enrolment.ts';
import { signedAnswer, unknownAgentEndpoint } from '../../http/agent-endpoint.ts';

/** The request is signed by the key in it: nobody enrols with a key that is not theirs. */
export const handler = unknownAgentEndpoint(
  { route: 'POST /agent/enrolments', summary: 'Enrol a workstation with a code', body: Enrolment },
  async ({ call, read }) => {
    const nowMs = Date.now();
    const stamp = requireFreshStamp(call, nowMs);
    const enrolment = await read();
    requireSignature(call, stamp, enrolment.ed25519);
    const agent = await enrolAgent(enrolment, nowMs);
    return signedAnswer(agent, stamp.nonce, { agentId: agent.id, serverKey: await serverPublicKey(agent) });
  },
);
