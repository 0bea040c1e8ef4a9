import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { accepts } from '../../../../shared/http/request/accepts.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { sandbox } from '../../service.ts';
import { Deliveries, ReceiverParams } from '../contract.ts';
import { listDeliveries } from '../domain/deliveries.ts';
import { receiverPage } from '../pages/receiver-page.ts';

export const handler = pageEndpoint(sandbox, ANYBODY)(
  {
    route: 'GET /receiver/{name}',
    summary: 'What the receiver got, the newest first',
    description: 'A page for a caller that accepts `text/html`, which is a browser.',
    params: ReceiverParams,
    answers: { 200: Deliveries },
    undocumented: false,
  },
  async ({ params, headers }, { language }) => {
    const items = await listDeliveries(params.name);
    if (!accepts(headers.accept, 'text/html')) return { items };
    return receiverPage(params.name, items, language);
  },
);
