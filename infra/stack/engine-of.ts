/**
 * The service whose domain and stores another one works with. It is deployed before that one, and its settings of the
 * domain are read by both.
 * @example engineOf('compact') // 'batch'
 */
export const engineOf = (service: string): 'batch' | undefined =>
  service === 'compact' ? 'batch' : undefined;

// The rest of batch's settings belong to its domain.
const OF_ITS_SURFACE =
  /^(?:ApproverPortal|ApproverSecondFactor|Auth|Export|Hub|Idp|Mail|Metrics|Readiness|RateLimiting|Swagger):/;

/** Whether a setting of an engine is for its own surface alone: keys, limits and pages of its endpoints. */
export const isOfSurface = (name: string): boolean => OF_ITS_SURFACE.test(name);
