import { unknownRoutePage } from '../../../shared/ui/unknown-route-page.ts';
import { credentials } from '../service.ts';

export const handler = credentials.refuseUnknownRoute(unknownRoutePage('/credentials/verify'));
