import { accepts } from '../../../../shared/http/accepts.ts';
import { languageFor } from '../../../../shared/ui/languages.ts';
import { sandbox } from '../../service.ts';
import { Deliveries, ReceiverParams } from '../contract.ts';
import { listDeliveries } from '../domain/deliveries.ts';
import { receiverPage } from '../pages/receiver-page.ts';

export const handler = sandbox.endpoint(
  {
    route: 'GET /receiver/{name}',
    summary: 'What the receiver got, the newest first',
    description: 'A page for a caller that accepts `text/html`, which is a browser.',
    params: ReceiverParams,
    answers: { 200: Deliveries },
    access: 'public',
  },
  async ({ params, query, headers }) => {
    const items = await listDeliveries(params.name);
    if (!accepts(headers.accept, 'text/html')) return { items };
    const language = languageFor({ lang: query.lang, acceptLanguage: headers['accept-language'] });
    return receiverPage(params.name, items, language);
  },
);
