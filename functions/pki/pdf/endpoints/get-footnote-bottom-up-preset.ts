import { pki, SIGNATURES } from '../../service.ts';
import { PresetPageQuery, VisualPositioningModel } from '../contract/presets.ts';
import { footnoteBottomUp } from '../domain/presets.ts';

export const handler = pki.endpoint(
  {
    route: 'GET /Api/PadesVisualPositioningPresets/FootnoteBottomUp',
    summary: 'Get a position that grows from the foot of a page',
    description: 'Rows of signatures, three in each on A4, from the lower margin upwards.',
    query: PresetPageQuery,
    answers: { 200: VisualPositioningModel },
    permission: SIGNATURES,
  },
  async ({ query }) => footnoteBottomUp(query),
);
