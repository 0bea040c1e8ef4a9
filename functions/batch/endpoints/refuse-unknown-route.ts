import { unknownRoutePage } from '../../../shared/ui/unknown-route-page.ts';
import { batch } from '../service.ts';

export const handler = batch.refuseUnknownRoute(unknownRoutePage('/batch'));
