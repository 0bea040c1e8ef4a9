import { pki, SIGNATURES } from '../../service.ts';
import { VisualPositioningModel } from '../contract/presets.ts';
import { newPage } from '../domain/presets.ts';

export const handler = pki.endpoint(
  {
    route: 'GET /Api/PadesVisualPositioningPresets/NewPage',
    summary: 'Get a position on a new page',
    description:
      'Rows of signatures, three in each, on a page behind the last. Whoever signs later is shown on the same page.',
    answers: { 200: VisualPositioningModel },
    permission: SIGNATURES,
  },
  async () => newPage(),
);
