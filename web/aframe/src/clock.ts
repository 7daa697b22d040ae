/** A clock in milliseconds; `performance.now` in a page. */
export type Clock = () => number;
