import type { Journey } from "./journey.ts";

/** Ms that must be left of a conversation for another attempt. */
const leastConversation = 1000;

/** Whether too little of the message's conversation is left for another attempt. */
export const isOutOfTime = ({ until }: Journey, now: number): boolean => until - now < leastConversation;
