import { unknownRoutePage } from '../../../shared/ui/unknown-route-page.ts';
import { documents } from '../service.ts';

export const handler = documents.refuseUnknownRoute(unknownRoutePage('/documents/console'));
