import { pki, SIGNATURES } from '../../service.ts';
import { FootnoteQuery, VisualPositioningModel } from '../contract/presets.ts';
import { footnote } from '../domain/presets.ts';

export const handler = pki.endpoint(
  {
    route: 'GET /Api/PadesVisualPositioningPresets/Footnote',
    summary: 'Get a position at the foot of a page',
    description: 'Rows of signatures, three in each on A4, above the lower margin.',
    query: FootnoteQuery,
    answers: { 200: VisualPositioningModel },
    permission: SIGNATURES,
  },
  async ({ query }) => footnote(query),
);
