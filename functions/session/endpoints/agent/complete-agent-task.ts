import { TaskResult } from '../../../../shared/workstation/messages.ts';
import { completeTask } from '../../domain/workstations/task.ts';
import { agentEndpoint } from '../../http/agent-endpoint.ts';

export const handler = agentEndpoint(
  { route: 'POST /agent/tasks/{taskId}/result', summary: 'Give the result of a task', body: TaskResult },
  async ({ agent, params: { taskId = '' }, body }) => ({
    accepted: await completeTask(agent, taskId, body, Date.now()),
  }),
);
