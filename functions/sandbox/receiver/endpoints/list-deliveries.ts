import { sandbox } from '../../service.ts';
import { Deliveries, ReceiverParams } from '../contract.ts';
import { listDeliveries } from '../domain/deliveries.ts';

export const handler = sandbox.endpoint(
  {
    route: 'GET /receiver/{name}',
    summary: 'What the receiver got, the newest first',
    params: ReceiverParams,
    answers: { 200: Deliveries },
    access: 'public',
  },
  async ({ params }) => ({ items: await listDeliveries(params.name) }),
);
