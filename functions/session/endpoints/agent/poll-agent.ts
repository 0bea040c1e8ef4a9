import { Poll } from '../../../../shared/workstation/messages.ts';
import { pollTasks } from '../../domain/workstations/poll.ts';
import { agentEndpoint } from '../../http/agent-endpoint.ts';

/** The answer waits until there is work for the agent. */
export const handler = agentEndpoint(
  { route: 'POST /agent/poll', summary: 'Wait for work', body: Poll },
  async ({ agent, body, sentAtMs, deadlineAtMs }) =>
    pollTasks(agent, { ...body, sentAtMs, deadlineAtMs }, () => Date.now()),
);
