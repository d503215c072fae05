/** Is told how far a piece of long work is: how much of how much is done, and what is counted, as a word of many. */
export type OnProgress = (done: number, all: number, what: string) => void;
