import { unknownRoutePage } from '../../../shared/ui/unknown-route-page.ts';
import { hub } from '../service.ts';

export const handler = hub.refuseUnknownRoute(unknownRoutePage());
