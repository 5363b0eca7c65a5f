"""What a picture shows: the learnt models, their weights and their facts."""
