import { json } from '../../../../shared/http/response/answer.ts';
import { credentials } from '../../service.ts';
import { readRegistrars } from '../../tenants/domain/roster.ts';
import { Registrars } from '../contract.ts';

export const handler = credentials.endpoint(
  {
    route: 'GET /api/registrars',
    can: 'items.read',
    summary: 'List registrars',
    description:
      'The institutes that an emission can be sent to (`sentToRegistry`), of all organizations: the name and e-MEC code of each, which are public.',
    tag: 'emissions',
    answers: { 200: Registrars },
  },
  async () => {
    const found = await readRegistrars();
    return json({ registrars: found.map(({ id, name, emecCode }) => ({ id, name, emecCode })) });
  },
);
