import { Enrolment } from '../../../../shared/workstation/messages.ts';
import { serverPublicKey } from '../../domain/workstations/agent.ts';
import { requireFreshStamp, requireSignature } from '../../domain/workstations/authenticate-agent.ts';
import { enrolAgent } from '../../domain/workstations/enrolment.ts';
import { answerTo, unknownAgentEndpoint } from '../../http/agent-endpoint.ts';

/** Signed by the key that it brings: nobody enrols with a key that is not theirs. */
export const handler = unknownAgentEndpoint(
  { route: 'POST /agent/enrolments', summary: 'Enrol a workstation with a code', body: Enrolment },
  async ({ call, read }) => {
    const stamp = requireFreshStamp(call);
    const enrolment = await read();
    requireSignature(call, stamp, enrolment.ed25519);
    const agent = await enrolAgent(enrolment);
    return answerTo(agent, stamp.nonce, { agentId: agent.id, serverKey: serverPublicKey(agent) });
  },
);
