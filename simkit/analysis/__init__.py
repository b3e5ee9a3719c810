"""What stored rows mean: one module per question, and the intervals they share."""
