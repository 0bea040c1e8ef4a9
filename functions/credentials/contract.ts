/** Request and response shapes. The platform's own operations bring theirs; its health and contract need none. */
export {};
